# SPDX-License-Identifier: Apache-2.0
"""gdb_commands.py: what a debugger says of a program of Terrane, running or as a core.

  terrane threads    every thread: on which processor, what it does or waits for
  terrane bt NAME    where the parked threads of that name are; `terrane bt all`: all of them
  terrane fibers     what is ready to run
  terrane slots      every slot that waits: the fiber it will start, the signals still to come

`step` passes over what is inline in the C headers of Terrane.

It lies in the executable (section .debug_gdb_scripts), which gdb reads where it may:
`add-auto-load-safe-path FOLDER` in ~/.gdbinit. The library need not have been compiled with
debugging information: terrane_debug_layout (debug_layout.cpp) says where everything lies.
"""

import gdb
import gdb.unwinder

MASK_64 = (1 << 64) - 1
AWAITED = 0x80000000
UNARMED = -(1 << 31) + 1


class Memory:
    """Plain reads; gdb.MemoryError where there is none."""

    @staticmethod
    def word(address, kind="unsigned long"):
        size = 8 if "long" in kind else 4
        raw = gdb.selected_inferior().read_memory(address, size)
        return int.from_bytes(bytes(raw), "little", signed="unsigned" not in kind)

    @staticmethod
    def text(address, most=200):
        if address == 0:
            return ""
        raw = bytearray()
        while len(raw) < most:
            byte = bytes(gdb.selected_inferior().read_memory(address + len(raw), 1))
            if byte == b"\0":
                break
            raw += byte
        return raw.decode("utf-8", "replace")


def word(address):
    return Memory.word(address)


def half(address, signed=False):
    return Memory.word(address, "int" if signed else "unsigned int")


def address_of(symbol):
    return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}")) & MASK_64


class Layout:
    """terrane_debug_layout: pairs of a name and a number."""

    def __init__(self):
        at = address_of("terrane_debug_layout")
        self.known = {"thread_kind": word(address_of("terrane_debug_thread_kind"))}
        while (name := word(at)) != 0:
            self.known[Memory.text(name)] = word(at + 8)
            at += 16

    def __getattr__(self, name):
        return self.known[name]


class Fiber:
    """A terrane_fiber (terrane.h)."""

    def __init__(self, address):
        self.function_at = word(address + 8)
        self.function = Memory.text(word(self.function_at))
        self.name = Memory.text(word(address + 16))
        place = word(address + 24)
        self.where = f" ({Memory.text(place)}:{half(address + 32)})" if place else ""
        self.join = (half(address + 36) >> 8) & 0xFF != 0

    def __str__(self):
        return f"{self.function}::{self.name}{self.where}"


class Frame:
    def __init__(self, address):
        self.address = address
        self.kind = word(address + 8)
        self.live = self.kind & 1 == 0
        self.function = Memory.text(word(self.kind)) if self.live else ""

    def slots(self):
        """(fiber, signals to come; None where it was never given a count) of those that wait."""
        bytes_used = min(half(self.kind + 24), 16384)
        for at in range(self.address + 16, self.address + bytes_used - 15, 16):
            try:
                pointer = word(at + 8)
                if pointer == 0 or pointer % 8 != 0 or word(pointer + 8) % 8 != 0:
                    continue
                if Memory.text(word(word(pointer + 8))) != self.function:
                    continue
                fiber = Fiber(pointer)
            except gdb.MemoryError:
                continue
            count = half(at, signed=True)
            if fiber.join and half(at + 4) & AWAITED:
                yield fiber, count
            elif not fiber.join and (count > 0 or count == UNARMED):
                yield fiber, None if count == UNARMED else count


class Thread:
    """A thread_block, in its frame."""

    def __init__(self, frame, processor, layout):
        block = frame.address + 16
        self.processor = processor
        self.name = Memory.text(word(block + layout.thread_name))
        states = ("fresh", "parked", "leaving", "ended", "away")
        self.state = states[half(block + layout.thread_state) & 0xFF]
        self.stack_pointer = word(block + layout.thread_stack_pointer)
        self.low, self.bytes = (word(block + layout.thread_stack + at) for at in (0, 8))
        if self.state == "away":  # of a block there is the beginning alone
            self.stack_pointer = self.low = self.bytes = 0
        waits = self.state != "away" and half(block + layout.thread_wake + 4) & AWAITED
        self.waits_for = Memory.text(word(block + layout.thread_waits_for)) if waits else None
        self.running = processor.running == block

    def says(self):
        if self.running:
            return "runs"
        if self.state != "parked":
            return {"fresh": "has not begun", "leaving": "leaves for another node",
                    "ended": "has ended", "away": "waits for its own end, elsewhere"}[self.state]
        return f"waits for {self.waits_for}" if self.waits_for else "is ready"


class Processor:
    def __init__(self, address, layout):
        self.address, self.layout = address, layout
        self.number = half(address + layout.processor_number)
        self.running = word(address + layout.processor_thread)

    def frames(self):
        first, last = (word(self.address + self.layout.processor_slabs + at) for at in (0, 8))
        for slab in range(first, last, 16):
            offset, frame_class, count = word(slab), half(slab + 8), half(slab + 12)
            each = 64 * (frame_class + 1) if frame_class < 16 else 1024 << (frame_class - 15)
            for i in range(count):
                frame = Frame(self.address + offset + i * each)
                if frame.live:
                    yield frame

    def threads(self):
        for frame in self.frames():
            if frame.kind == self.layout.thread_kind:
                yield Thread(frame, self, self.layout)

    def ready(self):
        ring = word(self.address + self.layout.processor_ready)
        head, mask, tail = (half(self.address + self.layout.processor_ready_head + at)
                            for at in (0, 4, 8))
        for i in range((tail - head) & 0xFFFFFFFF):
            yield Fiber(word(ring + 16 * ((head + i) & mask) + 8))


def processors():
    """Of the threads of the system that are processors; world sim: the one whose turn it is."""
    layout, before, found = Layout(), gdb.selected_thread(), {}
    for each in gdb.selected_inferior().threads():
        each.switch()
        try:
            here = int(gdb.parse_and_eval("*(unsigned long*)&terrane_here"))
        except gdb.error:
            continue
        if 0 < here < 1 << 63:  # terrane.h: TERRANE_NO_PROCESSOR
            found[here] = Processor(here, layout)
    before.switch()
    if not found:
        raise gdb.GdbError("terrane: no thread of this program is a processor: outside a run?")
    return sorted(found.values(), key=lambda processor: processor.number)


class FrameId:
    """What names a frame to gdb."""

    def __init__(self, stack_pointer, place):
        self.sp, self.pc = stack_pointer, place


class ParkedUnwinder(gdb.unwinder.Unwinder):
    """While `registers` is set, the caller of whatever runs is the parked thread: so that gdb walks
    a stack that no thread of the system is on, in a core too, where registers cannot be set."""

    def __init__(self):
        super().__init__("terrane-parked")
        self.registers = None

    def __call__(self, pending):
        if self.registers is None or pending.level() != 0:
            return None
        frame_id = FrameId(pending.read_register("rsp"), pending.read_register("rip"))
        info = pending.create_unwind_info(frame_id)
        for name, value in self.registers.items():
            info.add_saved_register(name, gdb.Value(value).cast(gdb.lookup_type("long")))
        return info


PARKED = ParkedUnwinder()
gdb.unwinder.register_unwinder(None, PARKED, replace=True)


def frames_of(thread):
    """What a switch left (base/context.hpp): control words, where to go on, rbx, rbp; 128 bytes."""
    at = thread.stack_pointer
    PARKED.registers = {"rip": word(at + 8), "rbx": word(at + 16), "rbp": word(at + 24),
                        "rsp": at + 32 + 128}
    gdb.invalidate_cached_frames()
    try:
        frame = gdb.newest_frame().older()
        while frame is not None and frame.is_valid() and frame.pc() != 0:
            line = frame.find_sal()
            place = f" at {line.symtab.filename}:{line.line}" if line.symtab else ""
            yield f"{frame.name() or '??'} (){place}"
            if frame.name() == "terrane_context_begin":
                return
            frame = frame.older()
    finally:
        PARKED.registers = None
        gdb.invalidate_cached_frames()


class Terrane(gdb.Command):
    """Threads, fibers and slots of a program of Terrane."""

    def __init__(self):
        super().__init__("terrane", gdb.COMMAND_STACK, prefix=True)


class Threads(gdb.Command):
    """terrane threads: every thread, its processor, and what it does."""

    def __init__(self):
        super().__init__("terrane threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        for processor in processors():
            for thread in processor.threads():
                stack = f", stack {thread.bytes} bytes at {thread.low:#x}" if thread.low else ""
                gdb.write(f"processor {processor.number}: thread {thread.name} {thread.says()}"
                          f"{stack}\n")


class Backtrace(gdb.Command):
    """terrane bt all | NAME: where threads that do not run were left."""

    def __init__(self):
        super().__init__("terrane bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("terrane bt: say the name of a thread, or all")
        if gdb.selected_inferior().architecture().name() != "i386:x86-64":
            raise gdb.GdbError("terrane bt: knows the stacks of x86-64 alone")
        for processor in processors():
            for thread in processor.threads():
                if argument not in ("all", thread.name):
                    continue
                gdb.write(f"processor {processor.number}: thread {thread.name} {thread.says()}\n")
                if thread.running or thread.state != "parked":
                    continue
                for number, line in enumerate(frames_of(thread)):
                    gdb.write(f"  #{number} {line}\n")


class Fibers(gdb.Command):
    """terrane fibers: what is ready to run on each processor, in order."""

    def __init__(self):
        super().__init__("terrane fibers", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        for processor in processors():
            ready = [str(fiber) for fiber in processor.ready()]
            gdb.write(f"processor {processor.number}: {len(ready)} ready\n")
            for each in ready:
                gdb.write(f"  {each}\n")


class Slots(gdb.Command):
    """terrane slots: every slot that waits for signals."""

    def __init__(self):
        super().__init__("terrane slots", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        for processor in processors():
            for frame in processor.frames():
                if frame.kind == processor.layout.thread_kind:
                    continue  # `terrane threads` says what they wait for
                for fiber, count in frame.slots():
                    waits = "was never given a count" if count is None else f"waits for {count}"
                    gdb.write(f"processor {processor.number}: {fiber} {waits}, frame at "
                              f"{frame.address:#x}\n")


for command in (Terrane, Threads, Backtrace, Fibers, Slots):
    command()
# What is inline of an operation is no place to step into.
for headers in ("terrane/*.h", "terrane/*/*.h"):
    gdb.execute(f"skip -gfi {headers}", to_string=True)
