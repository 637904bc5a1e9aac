/* SPDX-License-Identifier: Apache-2.0
 * context.S: the switch of stacks (context.hpp).
 *
 * A control word is loaded only where it differs from the one in force: to load one costs more than
 * all the rest. What lies on the stack is context.cpp's saved_registers.
 */
#if defined(__x86_64__)

  .text
  .globl terrane_context_switch
  .hidden terrane_context_switch
  .type terrane_context_switch, @function
  .p2align 5
terrane_context_switch: /* rdi: where our stack pointer goes, rsi: the other's */
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset rbp, -16
  pushq %rbx
  .cfi_def_cfa_offset 24
  .cfi_offset rbx, -24
  pushq %r12
  .cfi_def_cfa_offset 32
  .cfi_offset r12, -32
  pushq %r13
  .cfi_def_cfa_offset 40
  .cfi_offset r13, -40
  pushq %r14
  .cfi_def_cfa_offset 48
  .cfi_offset r14, -48
  pushq %r15
  .cfi_def_cfa_offset 56
  .cfi_offset r15, -56
  subq $8, %rsp
  .cfi_def_cfa_offset 64
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %eax
  movzwl 4(%rsp), %edx
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  cmpl (%rsp), %eax
  jne 3f
1:
  cmpw 4(%rsp), %dx
  jne 4f
2:
  .cfi_remember_state
  addq $8, %rsp
  .cfi_def_cfa_offset 56
  popq %r15
  .cfi_def_cfa_offset 48
  .cfi_restore r15
  popq %r14
  .cfi_def_cfa_offset 40
  .cfi_restore r14
  popq %r13
  .cfi_def_cfa_offset 32
  .cfi_restore r13
  popq %r12
  .cfi_def_cfa_offset 24
  .cfi_restore r12
  popq %rbx
  .cfi_def_cfa_offset 16
  .cfi_restore rbx
  popq %rbp
  .cfi_def_cfa_offset 8
  .cfi_restore rbp
  popq %rcx
  .cfi_def_cfa_offset 0
  .cfi_register rip, rcx
  jmp *%rcx
  .cfi_restore_state
3:
  ldmxcsr (%rsp)
  jmp 1b
4:
  fldcw 4(%rsp)
  jmp 2b
  .cfi_endproc
  .size terrane_context_switch, . - terrane_context_switch

  .globl terrane_context_begin
  .hidden terrane_context_begin
  .type terrane_context_begin, @function
  .p2align 4
terrane_context_begin: /* r12: the function, r13: its argument */
  .cfi_startproc
  .cfi_undefined rip /* nobody called: here a backtrace ends */
  movq %r13, %rdi
  xorl %ebp, %ebp
  call *%r12
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
