! SPDX-License-Identifier: Apache-2.0
! jacobi.f90: heat in a square plate, by Jacobi's method: each rank has some of its columns. Every
! 200 sweeps the ranks together integrate the temperature, which is a phase for Terrane.
program jacobi
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use, intrinsic :: iso_fortran_env, only: output_unit
  use mpi_f08
  implicit none

  interface
    function refined_integral(communicator, heights, side) bind(c) result(heat)
      import :: c_double, c_int
      integer(c_int), value :: communicator
      real(c_double), intent(in) :: heights(*)
      integer(c_int), value :: side
      real(c_double) :: heat
    end function
  end interface

  integer, parameter :: side = 65, sweeps = 600, between_phases = 200
  integer :: rank, ranks, provided, first, mine, before, after, sweep, each, y
  integer, allocatable :: counts(:), places(:)
  real(c_double), allocatable :: old(:, :), new(:, :), whole(:, :)
  real(c_double) :: heat

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)

  ! Columns 1 to mine are mine; columns 0 and mine + 1 are copies of the neighbours'.
  first = side * rank / ranks
  mine = side * (rank + 1) / ranks - first
  allocate (old(side, 0:mine + 1), new(side, 0:mine + 1), whole(side, side))
  allocate (counts(ranks), places(ranks))
  do each = 1, ranks
    places(each) = side * (each - 1) / ranks * side
    counts(each) = side * each / ranks * side - places(each)
  end do
  old = 0
  if (rank == 0) old(:, 1) = 1  ! the hot edge
  new = old

  before = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  after = merge(rank + 1, MPI_PROC_NULL, rank + 1 < ranks)
  do sweep = 1, sweeps
    call MPI_Sendrecv(old(:, 1), side, MPI_DOUBLE_PRECISION, before, 1, &
                      old(:, mine + 1), side, MPI_DOUBLE_PRECISION, after, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(old(:, mine), side, MPI_DOUBLE_PRECISION, after, 2, &
                      old(:, 0), side, MPI_DOUBLE_PRECISION, before, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    do y = 1, mine
      if (first + y == 1 .or. first + y == side) cycle
      new(2:side - 1, y) = (old(2:side - 1, y - 1) + old(2:side - 1, y + 1) &
                            + old(1:side - 2, y) + old(3:side, y)) / 4
    end do
    old = new

    if (mod(sweep, between_phases) /= 0) cycle
    call MPI_Gatherv(old(1, 1), mine * side, MPI_DOUBLE_PRECISION, whole, counts, places, &
                     MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    heat = refined_integral(MPI_COMM_WORLD%MPI_VAL, whole, side)
    if (rank == 0) then
      write (output_unit, '(a, i0, a, f14.12)') 'after ', sweep, ' sweeps: ', heat
      flush (output_unit)
    end if
  end do
  call MPI_Finalize()
end program
