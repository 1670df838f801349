// RUN: verify --expect "end of the text"
// EXIT: 3
func.func @f() {
  return
