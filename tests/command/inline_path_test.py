# SPDX-License-Identifier: Apache-2.0
"""inline_path_test.py: no probe on the path of a token that runs at once, of a signal, of a frame.

What a C compiler makes of the inline functions of terrane.h is disassembled: which fields of the
processor it touches, and how many instructions and branches it takes. The same with a probe put in
is found out.
"""

import pathlib
import platform
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CC, OBJDUMP = shutil.which("cc"), shutil.which("objdump")

SOURCE = """
#include "terrane/terrane.h"
#define FIELD(name) size_t field_##name(void) { return offsetof(terrane_processor, name); }
FIELD(top) FIELD(stocked) FIELD(push_limit) FIELD(stack_floor) FIELD(inlined) FIELD(queued)
FIELD(signals_to) FIELD(events) FIELD(priced) FIELD(free_frames)
#ifndef PROBE
#define PROBE(here)
#endif
bool path_spawn(terrane_processor* here) { PROBE(here) return terrane_spawn_inline(here); }
void* path_push(terrane_processor* here, const terrane_function* f) {
  PROBE(here) return terrane_token_push(here, f);
}
void path_signal(terrane_processor* here, terrane_slot_ref slot) {
  PROBE(here)
  terrane_frame* frame = terrane_frame_at(here, slot);
  if (terrane_is_live_here(here, frame, slot)) terrane_slot_decrement(here, frame, slot);
  else terrane_signal_far(here, slot);
}
terrane_frame* path_new(terrane_processor* here, const terrane_function* f) {
  PROBE(here) return terrane_frame_new(here, f, 3);
}
void path_free(terrane_processor* here, terrane_frame* frame) {
  PROBE(here) terrane_frame_free(here, frame, 3);
}
"""
PROBE = "-DPROBE(here)=if (here->events & 2) { void look(void); look(); }"
# The fields that each may touch, and the most branches and instructions, the slow way included.
PATHS = {"spawn": ({"top", "stocked", "stack_floor", "inlined"}, 2, 14),
         "push": ({"top", "push_limit", "queued"}, 1, 24),
         "signal": ({"signals_to"}, 3, 28),
         "new": ({"free_frames"}, 1, 24),
         "free": ({"free_frames"}, 1, 12)}
HERE = "%rdi"  # the first argument, and where compilers keep it


@unittest.skipUnless(platform.machine() == "x86_64" and CC and OBJDUMP,
                     "needs cc and objdump on x86-64")
class InlinePath(unittest.TestCase):
    def functions(self, *options):
        """{name: its instructions}, of what is compiled with these options."""
        with tempfile.TemporaryDirectory() as folder:
            source, made = pathlib.Path(folder) / "paths.c", pathlib.Path(folder) / "paths.o"
            source.write_text(SOURCE)
            subprocess.run([CC, "-std=c11", "-O2", "-fcf-protection=none", f"-I{ROOT}", "-c",
                            source, "-o", made, *options], check=True)
            text = subprocess.run([OBJDUMP, "-d", "--no-show-raw-insn", made], check=True,
                                  capture_output=True, text=True).stdout
        found = {}
        for name, body in re.findall(r"<((?:path|field)_\w+)>:\n(.*?)(?:\n\n|\Z)", text, re.DOTALL):
            code = [line.split("\t", 1)[1].strip() for line in body.splitlines() if "\t" in line]
            found[name] = [each for each in code if not each.startswith(("nop", "cs nop", "xchg"))]
        return found

    def faults(self, *options):
        """What is wrong with the paths, a sentence each."""
        found = self.functions(*options)
        offsets = {}
        for name, code in found.items():
            if name.startswith("field_"):
                number = re.search(r"\$(0x[0-9a-f]+)", code[0])
                offsets[int(number[1], 16) if number else 0] = name.removeprefix("field_")
        wrong = []
        for name, (fields, branches, instructions) in PATHS.items():
            code = found["path_" + name]
            touched = set()
            for place in re.findall(rf"(0x[0-9a-f]+)?\({HERE}\)", "\n".join(code)):
                at = int(place, 16) if place else 0
                touched.add(offsets.get(at) or ("free_frames" if name in ("new", "free") else at))
            jumps = sum(bool(re.match(r"j(?!mp)", each)) for each in code)
            if touched - fields:
                wrong.append(f"{name} touches {sorted(map(str, touched - fields))}")
            if not touched:
                wrong.append(f"{name}: nothing was recognised")
            if jumps > branches:
                wrong.append(f"{name} has {jumps} branches, not {branches}")
            if len(code) > instructions:
                wrong.append(f"{name} has {len(code)} instructions, not {instructions}")
        return wrong

    def test_nothing_looks_whether_events_are_recorded(self):
        self.assertEqual(self.faults(), [])

    def test_a_probe_is_found_on_each_path(self):
        wrong = "\n".join(self.faults(PROBE))
        for name in PATHS:
            self.assertIn(f"{name} touches ['events']", wrong)
            self.assertRegex(wrong, f"{name} has \\d branches")


if __name__ == "__main__":
    unittest.main()
