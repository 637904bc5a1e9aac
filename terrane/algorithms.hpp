// SPDX-License-Identifier: Apache-2.0
// algorithms.hpp: the algorithms of the standard, run by all processors of the node, on futures
// (docs/algorithms.md).
//
//   terrane::sort(all);
//   double sum = terrane::reduce(all.begin(), all.end(), 0.0);
//
// Why apart    A program that uses none of them should not pay for them in compile time. Write the
//              `terrane::`: arguments of the standard also find the function of the standard.
#pragma once

#include "terrane/thread/algorithms/blocked_range.hpp"
#include "terrane/thread/algorithms/find.hpp"
#include "terrane/thread/algorithms/for_each.hpp"
#include "terrane/thread/algorithms/reduce.hpp"
#include "terrane/thread/algorithms/scan.hpp"
#include "terrane/thread/algorithms/sort.hpp"
#include "terrane/thread/parallel.hpp"
