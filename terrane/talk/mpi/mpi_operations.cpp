// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/mpi/mpi_operations.hpp"

#include <complex>
#include <cstring>

namespace terrane {

namespace {

struct take_max {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct take_min {
  template <class T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct add {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct multiply {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a * b);
  }
};
struct both {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a && b);
  }
};
struct either {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a || b);
  }
};
struct one_of_two {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(!a != !b);
  }
};
struct bits_and {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct bits_or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct bits_differ {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

/// As the C structs of MPI_DOUBLE_INT and others.
template <class T>
struct value_and_place {
  T value;
  int place;
};
struct max_place {
  template <class T>
  static T of(T a, T b) {
    if (a.value == b.value) return a.place < b.place ? a : b;
    return a.value < b.value ? b : a;
  }
};
struct min_place {
  template <class T>
  static T of(T a, T b) {
    if (a.value == b.value) return a.place < b.place ? a : b;
    return b.value < a.value ? b : a;
  }
};

/// into = into op value. Neither need be aligned.
template <class T, class Op>
void combine(void* into, const void* value, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T one, other;
    std::memcpy(&one, static_cast<char*>(into) + at, sizeof one);
    std::memcpy(&other, static_cast<const char*>(value) + at, sizeof other);
    one = Op::of(one, other);
    std::memcpy(static_cast<char*>(into) + at, &one, sizeof one);
  }
}

/// From rank 0 on. Inclusive: with the rank's own value.
template <combine_function Combine, bool Inclusive>
void scanned(std::uint32_t members, const unsigned char* all, std::size_t bytes,
             unsigned char* results, std::size_t) {
  std::vector<unsigned char> sum(all, all + bytes);
  for (std::uint32_t i = 0; i < members; ++i) {
    if (Inclusive && i != 0) Combine(sum.data(), all + i * bytes, bytes);
    std::memcpy(results + i * bytes, sum.data(), bytes);
    if (!Inclusive && i != 0) Combine(sum.data(), all + i * bytes, bytes);
  }
}

template <class T, class Op>
mpi_combination combination() {
  return {&combine<T, Op>, &scanned<&combine<T, Op>, true>, &scanned<&combine<T, Op>, false>};
}

template <class T>
mpi_combination of_numbers(MPI_Op op) {
  switch (op) {
    case MPI_MAX: return combination<T, take_max>();
    case MPI_MIN: return combination<T, take_min>();
    case MPI_SUM: return combination<T, add>();
    case MPI_PROD: return combination<T, multiply>();
    default: return {};
  }
}

template <class T>
mpi_combination of_bits(MPI_Op op) {
  switch (op) {
    case MPI_BAND: return combination<T, bits_and>();
    case MPI_BOR: return combination<T, bits_or>();
    case MPI_BXOR: return combination<T, bits_differ>();
    default: return {};
  }
}

template <class T>
mpi_combination of_truths(MPI_Op op) {
  switch (op) {
    case MPI_LAND: return combination<T, both>();
    case MPI_LOR: return combination<T, either>();
    case MPI_LXOR: return combination<T, one_of_two>();
    default: return {};
  }
}

template <class T>
mpi_combination of_integers(MPI_Op op) {
  if (const mpi_combination found = of_numbers<T>(op); found.combine) return found;
  if (const mpi_combination found = of_bits<T>(op); found.combine) return found;
  return of_truths<T>(op);
}

template <class T>
mpi_combination of_complex(MPI_Op op) {
  if (op == MPI_SUM) return combination<std::complex<T>, add>();
  if (op == MPI_PROD) return combination<std::complex<T>, multiply>();
  return {};
}

template <class T>
mpi_combination of_places(MPI_Op op) {
  if (op == MPI_MAXLOC) return combination<value_and_place<T>, max_place>();
  if (op == MPI_MINLOC) return combination<value_and_place<T>, min_place>();
  return {};
}

}  // namespace

mpi_combination mpi_combination_of(MPI_Op op, MPI_Datatype type) {
  switch (type) {
    case MPI_CHAR:
    case MPI_SIGNED_CHAR: return of_integers<signed char>(op);
    case MPI_UNSIGNED_CHAR: return of_integers<unsigned char>(op);
    case MPI_SHORT: return of_integers<short>(op);
    case MPI_UNSIGNED_SHORT: return of_integers<unsigned short>(op);
    case MPI_INT: return of_integers<int>(op);
    case MPI_UNSIGNED: return of_integers<unsigned>(op);
    case MPI_LONG:
    case MPI_LONG_LONG: return of_integers<long>(op);
    case MPI_UNSIGNED_LONG:
    case MPI_UNSIGNED_LONG_LONG: return of_integers<unsigned long>(op);
    case MPI_FLOAT: return of_numbers<float>(op);
    case MPI_DOUBLE: return of_numbers<double>(op);
    case MPI_LONG_DOUBLE: return of_numbers<long double>(op);
    case MPI_C_BOOL: return of_truths<bool>(op);
    case MPI_BYTE: return of_bits<unsigned char>(op);
    case MPI_C_FLOAT_COMPLEX: return of_complex<float>(op);
    case MPI_C_DOUBLE_COMPLEX: return of_complex<double>(op);
    case MPI_2INT: return of_places<int>(op);
    case MPI_SHORT_INT: return of_places<short>(op);
    case MPI_LONG_INT: return of_places<long>(op);
    case MPI_FLOAT_INT: return of_places<float>(op);
    case MPI_DOUBLE_INT: return of_places<double>(op);
    case MPI_LONG_DOUBLE_INT: return of_places<long double>(op);
    default: return {};
  }
}

}  // namespace terrane
