// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/frontend.hpp"

#include <algorithm>

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Parse/Parser.h"
#include "compiler/read/messages.hpp"
#include "compiler/read/operations.hpp"
#include "llvm/Support/MemoryBuffer.h"

namespace terrane::compiler {

namespace {

using clang::SourceLocation;
using clang::SourceRange;
using clang::Token;

bool in_user_file(const clang::SourceManager& places, SourceLocation where) {
  const SourceLocation at = places.getExpansionLoc(where);
  return at.isValid() && !places.isInSystemHeader(at) && !places.isWrittenInBuiltinFile(at) &&
         !places.isWrittenInCommandLineFile(at);
}

/// Records the directives of the user's files, and which of them the written C keeps, and where.
class directive_recorder final : public clang::PPCallbacks {
 public:
  directive_recorder(clang::Preprocessor& preprocessor, const std::vector<Token>& tokens,
                     std::vector<directive>& found)
      : preprocessor_(preprocessor), tokens_(tokens), found_(found) {}

  void MacroDefined(const Token& name, const clang::MacroDirective*) override {
    note(name.getLocation(), true);
  }
  void MacroUndefined(const Token& name, const clang::MacroDefinition&,
                      const clang::MacroDirective*) override {
    note(name.getLocation(), true);
  }
  void InclusionDirective(SourceLocation hash, const Token&, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    note(hash, kind != clang::SrcMgr::C_User);
    if (kind != clang::SrcMgr::C_User && !found_.empty()) found_.back().system_header = true;
  }
  void PragmaDirective(SourceLocation where, clang::PragmaIntroducerKind introducer) override {
    if (introducer == clang::PIK__Pragma)
      note_operator(where);
    else
      note(where, introducer == clang::PIK_HashPragma);
  }
  void If(SourceLocation where, SourceRange, ConditionValueKind) override { note(where, false); }
  void Ifdef(SourceLocation where, const Token&, const clang::MacroDefinition&) override {
    note(where, false);
  }
  void Ifndef(SourceLocation where, const Token&, const clang::MacroDefinition&) override {
    note(where, false);
  }
  void Elif(SourceLocation where, SourceRange, ConditionValueKind, SourceLocation) override {
    note(where, false);
  }
  void Else(SourceLocation where, SourceLocation) override { note(where, false); }
  void Endif(SourceLocation where, SourceLocation) override { note(where, false); }
  void Ident(SourceLocation where, llvm::StringRef) override { note(where, true); }

 private:
  void note(SourceLocation where, bool stays) {
    const clang::SourceManager& places = preprocessor_.getSourceManager();
    if (where.isMacroID() || !in_user_file(places, where)) return;
    const auto [file, offset] = places.getDecomposedLoc(where);
    const llvm::StringRef text = places.getBufferData(file);
    std::size_t begin = offset;  // back to the start of the line, across continued lines
    while (begin > 0 && (text[begin - 1] != '\n' || (begin > 1 && text[begin - 2] == '\\')))
      --begin;
    directive made{tokens_.size(), file, static_cast<unsigned>(begin), ""};
    if (stays) made.text = text.slice(begin, end_of(text, offset)).str();
    found_.push_back(std::move(made));
  }
  /// Records a _Pragma("..."), which may be within a line. In a macro it is part of the use.
  void note_operator(SourceLocation where) {
    const clang::SourceManager& places = preprocessor_.getSourceManager();
    if (where.isMacroID() || !in_user_file(places, where)) return;
    const auto [file, offset] = places.getDecomposedLoc(where);
    const llvm::StringRef text = places.getBufferData(file);
    std::size_t end = offset;
    for (bool quoted = false; end < text.size(); ++end) {
      if (text[end] == '"' && text[end - 1] != '\\') quoted = !quoted;
      if (!quoted && text[end] == ')') break;
    }
    found_.push_back({tokens_.size(), file, offset, text.slice(offset, end + 1).str()});
  }
  /// The end of the directive's line, which includes comments and continued lines.
  static std::size_t end_of(llvm::StringRef text, std::size_t at) {
    bool in_comment = false;
    for (; at < text.size(); ++at) {
      if (in_comment) {
        if (text.substr(at, 2) == "*/") in_comment = false;
      } else if (text.substr(at, 2) == "/*") {
        in_comment = true;
      } else if (text[at] == '\\' && at + 1 < text.size()) {
        ++at;
      } else if (text[at] == '\n') {
        break;
      }
    }
    return at;
  }

  clang::Preprocessor& preprocessor_;
  const std::vector<Token>& tokens_;
  std::vector<directive>& found_;
};

std::vector<std::string> as_arguments(const source& from, const read_options& options) {
  std::vector<std::string> all{"-fsyntax-only",
                               "-x",
                               "c",
                               "-std=" + options.standard,
                               "-triple",
                               "x86_64-unknown-linux-gnu",
                               "-fgnuc-version=4.2.1",
                               "-ferror-limit",
                               "20",
                               "-fbracket-depth",
                               "512"};
  all.insert(all.end(), {"-nobuiltininc", "-nostdsysteminc", "-fno-spell-checking"});
  if (options.optimise) all.emplace_back("-O2");
  if (options.unsigned_char) all.emplace_back("-fno-signed-char");
  for (const macro& each : options.macros) {
    all.emplace_back(each.undefine ? "-U" : "-D");
    all.push_back(each.definition);
  }
  for (const std::string& each : options.include_folders) all.insert(all.end(), {"-I", each});
  if (!options.builtin_headers.empty())
    all.insert(all.end(), {"-internal-isystem", options.builtin_headers});
  for (const std::string& each : options.system_include_folders)
    all.insert(all.end(), {"-internal-isystem", each});
  if (from.threaded) all.emplace_back("-Wuninitialized");
  for (const std::string& each : options.warnings) all.push_back("-W" + each);
  all.push_back("-Wno-unknown-warning-option");
  if (from.threaded) all.push_back("-Werror=incompatible-pointer-types");
  all.push_back(from.path);
  return all;
}

/// Turns warnings of Clang into errors where GCC, which compiles the written C, refuses the text.
void refuse_what_c_compilers_refuse(clang::DiagnosticsEngine& diagnostics) {
  using namespace clang::diag;
  const unsigned all[] = {ext_flexible_array_empty_aggregate_gnu,
                          ext_flexible_array_union_gnu,
                          ext_no_declarators,
                          ext_c_label_followed_by_declaration,
                          warn_pragma_diagnostic_invalid,
                          ext_warn_duplicate_declspec};
  for (const unsigned each : all) diagnostics.setSeverity(each, Severity::Error, {});
}

/// A compiler instance that reads the text from memory. Null on failure, after a message.
std::unique_ptr<clang::CompilerInstance> set_up(const source& from, const read_options& options,
                                                message_collector& collector,
                                                clang::DiagnosticOptions& shown) {
  auto instance = std::make_unique<clang::CompilerInstance>();
  auto diagnostics = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), &shown, &collector, false);
  const std::vector<std::string> words = as_arguments(from, options);
  std::vector<const char*> arguments;
  arguments.reserve(words.size());
  for (const std::string& each : words) arguments.push_back(each.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, *diagnostics))
    return nullptr;
  instance->setInvocation(invocation);
  instance->setDiagnostics(diagnostics.get());
  clang::ProcessWarningOptions(*diagnostics, invocation->getDiagnosticOpts());
  refuse_what_c_compilers_refuse(*diagnostics);
  if (!instance->createTarget()) return nullptr;
  instance->createFileManager();
  instance->createSourceManager(instance->getFileManager());

  auto& places = instance->getSourceManager();
  const auto file = instance->getFileManager().getVirtualFileRef(
      from.path, static_cast<off_t>(from.text.size()), 0);
  places.overrideFileContents(file, llvm::MemoryBuffer::getMemBufferCopy(from.text, from.path));
  places.setMainFileID(places.createFileID(file, SourceLocation(), clang::SrcMgr::C_User));
  instance->createPreprocessor(clang::TU_Complete);
  instance->createASTContext();
  return instance;
}

/// Lists the names of the files that were read.
void list_files(const clang::SourceManager& places, compilation& result) {
  for (unsigned i = 0; i < places.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry& entry = places.getLocalSLocEntry(i);
    if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry) continue;
    auto& files = clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic())
                      ? result.system_files
                      : result.files;
    const std::string name = entry.getFile().getContentCache().OrigEntry->getName().str();
    if (std::find(files.begin(), files.end(), name) == files.end()) files.push_back(name);
  }
}

}  // namespace

bool parsed::of_user(SourceLocation where) const { return in_user_file(places(), where); }

void parse(const source& from, const read_options& options, compilation& result,
           reading_point& point, const std::function<void(const parsed&)>& then) {
  auto shown = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  shown->ShowColors = options.colours;
  message_collector collector(result, *shown, from.threaded);
  const auto instance = set_up(from, options, collector, *shown);
  if (!instance) return;

  clang::Preprocessor& preprocessor = instance->getPreprocessor();
  collector.BeginSourceFile(instance->getLangOpts(), &preprocessor);
  if (from.threaded) {
    preprocessor.setPredefines(preprocessor.getPredefines() + reading_prelude());
  }
  auto consumer = std::make_unique<clang::ASTConsumer>();
  clang::Sema sema(preprocessor, instance->getASTContext(), *consumer);
  clang::Parser parser(preprocessor, sema, false);  // handles pragmas from here on

  std::vector<Token> tokens;
  std::vector<directive> directives;
  preprocessor.addPPCallbacks(
      std::make_unique<directive_recorder>(preprocessor, tokens, directives));
  preprocessor.getBuiltinInfo().initializeBuiltins(preprocessor.getIdentifierTable(),
                                                   preprocessor.getLangOpts());
  preprocessor.EnterMainSourceFile();
  point.places = &instance->getSourceManager();
  preprocessor.setTokenWatcher([&point](const Token& read) { point.where = read.getLocation(); });
  // The preprocessor passes comments and pragmas to sema, which has not entered a context yet.
  sema.CurContext = sema.Context.getTranslationUnitDecl();
  Token end;
  for (preprocessor.Lex(end); end.isNot(clang::tok::eof); preprocessor.Lex(end))
    tokens.push_back(end);

  said spoken;
  if (from.threaded) {
    spoken = say_in_c(preprocessor, tokens, end);
  } else {
    spoken.tokens = tokens;
    spoken.tokens.push_back(end);
  }
  preprocessor.EnterTokenStream(spoken.tokens, /*DisableMacroExpansion=*/true,
                                /*IsReinject=*/false);
  sema.CurContext = nullptr;
  point.in_parser = true;
  parser.Initialize();
  clang::Parser::DeclGroupPtrTy group;
  clang::Sema::ModuleImportState imports;
  for (bool done = parser.ParseFirstTopLevelDecl(group, imports); !done;
       done = parser.ParseTopLevelDecl(group, imports)) {}
  point.in_parser = false;
  list_files(instance->getSourceManager(), result);
  then(parsed{from, sema, tokens, directives, spoken.words, collector});
  collector.EndSourceFile();
}

}  // namespace terrane::compiler
