// RUN: verify --expect "twice"
func.func @twice() {
  return
}
func.func @twice() {
  return
}
