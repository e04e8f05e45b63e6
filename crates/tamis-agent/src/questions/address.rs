//! Addresses of other programs, as text: `host:port`, `[::1]:80`, `unix:/a/path`, or a host alone.

use std::ffi::c_int;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::jni::{Jni, Object};
use crate::jvmti::Jvmti;
use crate::natives::{Arguments, Peer};

/// What is told where the address is not to be had.
const UNKNOWN: &[u8] = b"a socket";

/// The address that a native method is given.
pub(super) fn text(jni: &Jni<'_>, jvmti: Jvmti, peer: Peer, arguments: &Arguments<'_>) -> Vec<u8> {
    let text = match peer {
        Peer::Name(index) => arguments.object(index).and_then(|name| jni.text(name)),
        Peer::Port(address, port) => {
            let address = arguments.object(address);
            let host = address.and_then(|address| Host::of(jni, jvmti, address));
            host.map(|host| host.with_port(arguments.int(port)))
        }
        Peer::Bytes(index) => {
            let bytes = arguments.object(index).and_then(|array| jni.bytes(array));
            bytes
                .and_then(|bytes| ip(&bytes))
                .map(|ip| ip.to_string().into_bytes())
        }
        Peer::Packet(index) => arguments
            .object(index)
            .and_then(|packet| of_packet(jni, jvmti, packet)),
        Peer::Structure(address, length) => {
            let length = usize::try_from(arguments.int(length)).unwrap_or(0);
            let bytes = arguments.memory(address, length);
            bytes.and_then(|bytes| of_structure(&bytes))
        }
        Peer::Path(index) => {
            let path = arguments.object(index).and_then(|array| jni.bytes(array));
            path.map(|path| [b"unix:", &path[..]].concat())
        }
    };
    text.unwrap_or_else(|| UNKNOWN.to_vec())
}

/// A machine: by the name that the program gave, or by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    Name(Vec<u8>),
    Ip(IpAddr),
}

impl Host {
    /// What a `java.net.InetAddress` says; its methods would ask for a name.
    fn of<'j>(jni: &Jni<'j>, jvmti: Jvmti, address: Object<'j>) -> Option<Self> {
        jni.in_frame(|| {
            let descriptor = c"Ljava/net/InetAddress$InetAddressHolder;";
            let holder = jni.field(address, c"holder", descriptor)?;
            if let Some(name) = jni.field(holder, c"hostName", c"Ljava/lang/String;") {
                return jni.text(name).map(Self::Name);
            }
            let class = jni.class_of(address)?;
            if jvmti.signature(class)? == b"Ljava/net/Inet6Address;" {
                let descriptor = c"Ljava/net/Inet6Address$Inet6AddressHolder;";
                let holder = jni.field(address, c"holder6", descriptor)?;
                let bytes = jni.bytes(jni.field(holder, c"ipaddress", c"[B")?)?;
                return ip(&bytes).map(Self::Ip);
            }
            let number = jni.int(holder, c"address")?.cast_unsigned();
            Some(Self::Ip(Ipv4Addr::from(number).into()))
        })
    }

    /// A port of the machine, an `int` in Java.
    fn with_port(&self, port: c_int) -> Vec<u8> {
        match self {
            Self::Name(name) => [name, format!(":{port}").as_bytes()].concat(),
            Self::Ip(IpAddr::V4(ip)) => format!("{ip}:{port}").into_bytes(),
            Self::Ip(IpAddr::V6(ip)) => format!("[{ip}]:{port}").into_bytes(),
        }
    }
}

/// Whom a `java.net.DatagramPacket` is for.
fn of_packet<'j>(jni: &Jni<'j>, jvmti: Jvmti, packet: Object<'j>) -> Option<Vec<u8>> {
    let address = jni.field(packet, c"address", c"Ljava/net/InetAddress;")?;
    let host = Host::of(jni, jvmti, address);
    jni.delete(address);
    Some(host?.with_port(jni.int(packet, c"port")?))
}

/// What a `sockaddr_in` or `sockaddr_in6` says: a family in the order of this machine, a port and, for the
/// latter behind four more bytes, an address in the order of the network.
fn of_structure(bytes: &[u8]) -> Option<Vec<u8>> {
    const AF_INET: u16 = 2;
    const AF_INET6: u16 = 10;
    let [f, g, p, q, rest @ ..] = bytes else {
        return None;
    };
    let ip = match u16::from_ne_bytes([*f, *g]) {
        AF_INET => ip(rest.get(..4)?)?,
        AF_INET6 => ip(rest.get(4..20)?)?,
        _ => return None,
    };
    let port = u16::from_be_bytes([*p, *q]);
    Some(Host::Ip(ip).with_port(port.into()))
}

/// The number of a machine, by its 4 or 16 bytes. Sockets for both versions write the first as one of the second.
fn ip(bytes: &[u8]) -> Option<IpAddr> {
    if let Ok(bytes) = <[u8; 4]>::try_from(bytes) {
        return Some(Ipv4Addr::from(bytes).into());
    }
    let bytes = <[u8; 16]>::try_from(bytes).ok()?;
    Some(Ipv6Addr::from(bytes).to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_names_or_numbers() {
        let port = |host: Host| String::from_utf8(host.with_port(80)).unwrap();
        assert_eq!(port(Host::Name(b"a.example".to_vec())), "a.example:80");
        assert_eq!(port(Host::Ip(ip(&[127, 0, 0, 1]).unwrap())), "127.0.0.1:80");
        let last = Ipv6Addr::LOCALHOST.octets();
        assert_eq!(port(Host::Ip(ip(&last).unwrap())), "[::1]:80");
        let mapped = Ipv4Addr::LOCALHOST.to_ipv6_mapped().octets();
        assert_eq!(port(Host::Ip(ip(&mapped).unwrap())), "127.0.0.1:80");
        assert_eq!(ip(&[1, 2, 3]), None);
    }

    #[test]
    fn structures_of_the_system_are_read() {
        let four = [&2_u16.to_ne_bytes()[..], &[1, 2, 127, 0, 0, 1], &[0; 8]].concat();
        assert_eq!(of_structure(&four).unwrap(), b"127.0.0.1:258");
        let last = Ipv6Addr::LOCALHOST.octets();
        let six = [&10_u16.to_ne_bytes()[..], &[1, 2], &[0; 4], &last, &[0; 4]].concat();
        assert_eq!(of_structure(&six).unwrap(), b"[::1]:258");
        for bytes in [&four[..7], &six[..23], &[0; 28], &[]] {
            assert_eq!(of_structure(bytes), None);
        }
    }
}
