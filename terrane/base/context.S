/* SPDX-License-Identifier: Apache-2.0
 * context.S: the foot of a new stack, and where it is not in line, the switch (context.hpp).
 *
 * What lies on a stack that was left is context.cpp's saved_registers.
 */
#if defined(__x86_64__)

  .text
  .globl terrane_context_begin, terrane_context_enter
  .hidden terrane_context_begin, terrane_context_enter
  .type terrane_context_begin, @function
  .type terrane_context_enter, @function
  .p2align 4
terrane_context_begin: /* on the stack: the function, its argument */
  .cfi_startproc
  .cfi_undefined rip /* nobody called: here a backtrace ends */
  popq %rax
  popq %rdi
terrane_context_enter: /* in rax: the function; in rdi: its argument */
  /* As a call. That would be foreseen to return here, which never happens: then each return that
   * follows would be foreseen one too deep. */
  leaq 1f(%rip), %rcx
  pushq %rcx
  xorl %ebp, %ebp
  jmp *%rax
1:
  ud2
  .cfi_endproc
  .size terrane_context_begin, . - terrane_context_begin

#elif defined(__aarch64__)

  .text
  .globl terrane_context_switch
  .hidden terrane_context_switch
  .type terrane_context_switch, %function
  .p2align 4
terrane_context_switch: /* x0: where our stack pointer goes, x1: the other's */
  .cfi_startproc
  sub sp, sp, #176
  .cfi_def_cfa_offset 176
  /* A control word is loaded only where it differs from the one in force. */
  mrs x9, fpcr
  str x9, [sp, #0]
  stp x19, x20, [sp, #16]
  .cfi_offset x19, -160
  .cfi_offset x20, -152
  stp x21, x22, [sp, #32]
  .cfi_offset x21, -144
  .cfi_offset x22, -136
  stp x23, x24, [sp, #48]
  .cfi_offset x23, -128
  .cfi_offset x24, -120
  stp x25, x26, [sp, #64]
  .cfi_offset x25, -112
  .cfi_offset x26, -104
  stp x27, x28, [sp, #80]
  .cfi_offset x27, -96
  .cfi_offset x28, -88
  stp x29, x30, [sp, #96]
  .cfi_offset x29, -80
  .cfi_offset x30, -72
  stp d8, d9, [sp, #112]
  stp d10, d11, [sp, #128]
  stp d12, d13, [sp, #144]
  stp d14, d15, [sp, #160]
  mov x10, sp
  str x10, [x0]
  mov sp, x1
  ldr x10, [sp, #0]
  cmp x9, x10
  b.eq 1f
  msr fpcr, x10
1:
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp x29, x30, [sp, #96]
  ldp d8, d9, [sp, #112]
  ldp d10, d11, [sp, #128]
  ldp d12, d13, [sp, #144]
  ldp d14, d15, [sp, #160]
  add sp, sp, #176
  .cfi_def_cfa_offset 0
  br x30
  .cfi_endproc
  .size terrane_context_switch, . - terrane_context_switch

  .globl terrane_context_begin
  .hidden terrane_context_begin
  .type terrane_context_begin, %function
  .p2align 4
terrane_context_begin: /* x19: the function, x20: its argument */
  .cfi_startproc
  .cfi_undefined x30
  mov x0, x20
  mov x29, xzr
  blr x19
  brk #0
  .cfi_endproc
  .size terrane_context_begin, . - terrane_context_begin

#endif

  .section .note.GNU-stack, "", %progbits
