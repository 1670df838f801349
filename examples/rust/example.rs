//! Converts a program from Rust, without crates: example FILE VERSION
//!
//! rustc example.rs -L FOLDER_OF_LIBSHLO -l shlo
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::ptr::{null, null_mut};

// Opaque handles. An error frees itself when it goes out of scope, a program likewise.
#[repr(C)]
pub struct RawError {
    _private: [u8; 0],
}
#[repr(C)]
pub struct RawProgram {
    _private: [u8; 0],
}
#[repr(C)]
pub struct RawBuffer {
    _private: [u8; 0],
}

extern "C" {
    fn shlo_error_text(error: *const RawError) -> *const c_char;
    fn shlo_error_exit_code(error: *const RawError) -> c_int;
    fn shlo_error_free(error: *mut RawError);
    fn shlo_buffer_data(buffer: *const RawBuffer) -> *const c_char;
    fn shlo_buffer_size(buffer: *const RawBuffer) -> usize;
    fn shlo_buffer_free(buffer: *mut RawBuffer);
    fn shlo_version_parse(text: *const c_char, today: *const c_char, out: *mut u32) -> *mut RawError;
    fn shlo_program_read_file(path: *const c_char, options: *const c_void, out: *mut *mut RawProgram)
        -> *mut RawError;
    fn shlo_convert(program: *const RawProgram, target: u32, options: *const c_void, out: *mut *mut RawProgram,
        conversion: *mut *mut c_void) -> *mut RawError;
    fn shlo_program_write(program: *const RawProgram, options: *const c_void, out: *mut *mut RawBuffer)
        -> *mut RawError;
    fn shlo_program_release(program: *mut RawProgram);
}

pub struct Error(*mut RawError);

impl Error {
    fn text(&self) -> String {
        unsafe { CStr::from_ptr(shlo_error_text(self.0)) }.to_string_lossy().into_owned()
    }
    fn exit_code(&self) -> i32 {
        unsafe { shlo_error_exit_code(self.0) }
    }
}

impl Drop for Error {
    fn drop(&mut self) {
        unsafe { shlo_error_free(self.0) }
    }
}

fn check(error: *mut RawError) -> Result<(), Error> {
    if error.is_null() { Ok(()) } else { Err(Error(error)) }
}

pub struct Program(*mut RawProgram);

// A program does not change, and any thread may use it.
unsafe impl Send for Program {}
unsafe impl Sync for Program {}

impl Program {
    pub fn read(path: &str) -> Result<Program, Error> {
        let path = CString::new(path).expect("a path without NUL");
        let mut out = null_mut();
        check(unsafe { shlo_program_read_file(path.as_ptr(), null(), &mut out) })?;
        Ok(Program(out))
    }
    pub fn convert(&self, version: &str) -> Result<Program, Error> {
        let version = CString::new(version).expect("a version without NUL");
        let (mut number, mut out) = (0, null_mut());
        check(unsafe { shlo_version_parse(version.as_ptr(), null(), &mut number) })?;
        check(unsafe { shlo_convert(self.0, number, null(), &mut out, null_mut()) })?;
        Ok(Program(out))
    }
    pub fn text(&self) -> Result<String, Error> {
        let mut out = null_mut();
        check(unsafe { shlo_program_write(self.0, null(), &mut out) })?;
        let bytes = unsafe { std::slice::from_raw_parts(shlo_buffer_data(out) as *const u8, shlo_buffer_size(out)) };
        let text = String::from_utf8_lossy(bytes).into_owned();
        unsafe { shlo_buffer_free(out) };
        Ok(text)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        unsafe { shlo_program_release(self.0) }
    }
}

fn run(path: &str, version: &str) -> Result<String, Error> {
    Program::read(path)?.convert(version)?.text()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match run(&args[1], &args[2]) {
        Ok(text) => print!("{text}"),
        Err(error) => {
            print!("{}", error.text());
            std::process::exit(error.exit_code());
        }
    }
}
