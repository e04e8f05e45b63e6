//! What must hold for any bytes; the fuzz targets call the same function.
#![expect(unreachable_pub, reason = "the fuzz targets include this file")]

use tamis_wire::{Frame, FromAgent, ToAgent, WireError};

/// Any stream is cut into frames or refused, each frame is a message or a named error on either side, and
/// what was understood has one encoding: the one that came.
pub fn messages(mut stream: &[u8]) {
    while let Ok(Some((frame, length))) = Frame::parse(stream) {
        assert!(length == frame.body.len() + 5 && length <= stream.len());
        let came = &stream[..length];
        check(FromAgent::parse(&frame), came, FromAgent::encode);
        check(ToAgent::parse(&frame), came, ToAgent::encode);
        stream = &stream[length..];
    }
}

fn check<M>(
    understood: Result<M, WireError>,
    came: &[u8],
    encode: impl Fn(&M, &mut Vec<u8>) -> Result<(), WireError>,
) {
    match understood {
        Ok(message) => {
            let mut out = Vec::new();
            encode(&message, &mut out).expect("what came in a frame fits one");
            assert_eq!(out, came);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
