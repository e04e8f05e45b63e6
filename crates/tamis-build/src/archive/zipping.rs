//! Archives made for tests.

use std::io::Write as _;

use libdeflater::{CompressionLvl, Compressor};
use rawzip::{CompressionMethod, ZipArchiveWriter, ZipDataWriterConfig};

/// An archive with `files`, deflated when `compression` says so.
pub(crate) fn zip(files: &[(&str, &[u8])], compression: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipArchiveWriter::new(Vec::new());
    for (name, content) in files {
        let file = writer.new_file(*name).compression_method(compression);
        let (mut entry, config): (_, ZipDataWriterConfig) = file.start().unwrap();
        let mut checked = config.wrap(Vec::new());
        checked.write_all(content).unwrap();
        let (_, descriptor) = checked.finish().unwrap();
        match compression {
            CompressionMethod::DEFLATE => entry.write_all(&deflate(content)).unwrap(),
            _ => entry.write_all(content).unwrap(),
        }
        entry.finish(descriptor).unwrap();
    }
    writer.finish().unwrap()
}

fn deflate(content: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut data = vec![0; compressor.deflate_compress_bound(content.len())];
    let size = compressor.deflate_compress(content, &mut data).unwrap();
    data.truncate(size);
    data
}
