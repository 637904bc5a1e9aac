# SPDX-License-Identifier: Apache-2.0
# cmake -DNM= -DOBJECTS=<file, an object a line> -DLAYERS=<a|b> -DOUTPUT= -P write_exports.cmake
# Writes the version script of the shared library: the names that its users may see.
file(STRINGS ${OBJECTS} objects)
set(names "")
foreach(object IN LISTS objects)
  execute_process(COMMAND ${NM} --defined-only --extern-only --format=posix ${object}
                  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" listed "${listed}")
  list(TRANSFORM listed REPLACE " .*" "")
  set(of_c ${listed})
  list(FILTER of_c INCLUDE REGEX "^terrane_[a-z0-9_]+$")
  list(APPEND names ${of_c})
  if(object MATCHES "/(${LAYERS})/[^/]*$")
    list(FILTER listed INCLUDE REGEX "^_Z(N|NK|TVN|TIN|TSN|GVN|THN|TWN|ZN|ZNK)7terrane")
    list(APPEND names ${listed})
  endif()
endforeach()
list(SORT names)
list(REMOVE_DUPLICATES names)
list(JOIN names ";\n    " lines)
file(WRITE ${OUTPUT}.new "{\n  global:\n    ${lines};\n  local:\n    *;\n};\n")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT})
