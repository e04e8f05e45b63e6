//! What must hold for any bytes; the fuzz targets call the same function.
#![expect(unreachable_pub, reason = "the fuzz targets include this file")]

use tamis_wire::{Frame, FromAgent, ToAgent};

/// Any stream is cut into frames or refused, each frame is a message or a named error on either side, and
/// what was understood has one encoding: the one that came.
pub fn messages(mut stream: &[u8]) {
    while let Ok(Some((frame, length))) = Frame::parse(stream) {
        assert!(length == frame.body.len() + 5 && length <= stream.len());
        let came = &stream[..length];
        let mut out = Vec::new();
        match FromAgent::parse(&frame) {
            Ok(message) => {
                message
                    .encode(&mut out)
                    .expect("what came in a frame fits one");
                assert_eq!(out, came);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        out.clear();
        match ToAgent::parse(&frame) {
            Ok(message) => {
                message
                    .encode(&mut out)
                    .expect("what came in a frame fits one");
                assert_eq!(out, came);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        stream = &stream[length..];
    }
}
