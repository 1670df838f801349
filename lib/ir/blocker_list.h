// Collects what keeps a program from a target: one blocker for each cause, which counts its places, or one
// for each place.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "shlo/diagnostics.h"

namespace shlo {

class BlockerList {
 public:
  // Lists at most `max` blockers; Finish counts the rest.
  BlockerList(bool every_place, size_t max) : every_place_(every_place), max_(max) {}

  // Adds the blocker that `make` returns, or counts another place of the same cause.
  template <typename Make>
  void Add(std::string_view cause, Make make) {
    if (!every_place_) {
      const auto known = causes_.find(cause);
      if (known != causes_.end()) {
        if (known->second < list_.size()) ++list_[known->second].count;
        return;
      }
      causes_.emplace(cause, list_.size());
    }
    if (list_.size() < max_)
      list_.push_back(make());
    else
      ++left_out_;
  }

  Diagnostics Finish() {
    if (left_out_) {
      Diagnostic& note = list_.emplace_back();
      note.severity = Severity::kNote;
      note.code = Code::kBlocked;
      note.message = Count(left_out_, "more blocker") + " not listed";
    }
    return std::move(list_);
  }

 private:
  const bool every_place_;
  const size_t max_;
  Diagnostics list_;
  std::map<std::string, size_t, std::less<>> causes_;  // the index in list_
  size_t left_out_ = 0;
};

}  // namespace shlo
