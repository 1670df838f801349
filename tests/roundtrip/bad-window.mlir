// RUN: convert --target=1.0.0 --expect "2024-05-14" --expect "--allow-outside-window"
// EXIT: 1
// RUN: convert --target=1.0.0 --window forward=5y
// 1.0.0 is more than two years older than the newest release.
func.func @main() {
  return
}
