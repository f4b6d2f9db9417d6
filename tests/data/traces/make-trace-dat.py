#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write a trace.dat (trace-cmd.dat.v6(5)) with a few kmem events: make-trace-dat.py FILE.

No machine recorded it: a kernel's tracefs is needed for that.  The formats are those that Linux 6.1
has in events/kmem/*/format, the flags cut short.
"""
import struct
import sys

COMMON = """\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;
"""
ALLOC = [("unsigned long call_site", 8, 0), ("const void * ptr", 8, 0), ("size_t bytes_req", 8, 0),
         ("size_t bytes_alloc", 8, 0), ("unsigned long gfp_flags", 8, 0), ("int node", 4, 1),
         ("bool accounted", 1, 0)]
ALLOC_PRINT = ('"call_site=%pS ptr=%p bytes_req=%zu bytes_alloc=%zu gfp_flags=%s node=%d '
               'accounted=%s", (void *)REC->call_site, REC->ptr, REC->bytes_req, '
               'REC->bytes_alloc, (REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", '
               '{(unsigned long)0xcc0, "GFP_KERNEL"}) : "none", REC->node, '
               'REC->accounted ? "true" : "false"')
EVENTS = {
    "kmalloc": (500, ALLOC[:-1], ALLOC_PRINT.replace(" accounted=%s", "")
                .replace(', REC->accounted ? "true" : "false"', "")),
    "kmem_cache_alloc": (501, ALLOC, ALLOC_PRINT),
    "kfree": (502, ALLOC[:2], '"call_site=%pS ptr=%p", (void *)REC->call_site, REC->ptr'),
    "kmem_cache_free": (503, ALLOC[:2] + [("__data_loc char[] name", 4, 0)],
                        '"call_site=%pS ptr=%p name=%s", (void *)REC->call_site, REC->ptr, '
                        '__get_str(name)'),
}
SYMBOLS = b"""ffffffff81000000 T getname_flags
ffffffff81001000 T putname
ffffffff81002000 T seq_open
ffffffff81003000 T seq_release
"""


def event_format(name):
    number, fields, text = EVENTS[name]
    out, at = f"name: {name}\nID: {number}\nformat:\n{COMMON}\n", 8
    for field, size, signed in fields:
        out += f"\tfield:{field};\toffset:{at};\tsize:{size};\tsigned:{signed};\n"
        at += size
    return (out + f"\nprint fmt: {text}\n").encode()


def record(name, *values):
    number, fields, _ = EVENTS[name]
    data = struct.pack("<HBBi", number, 0, 0, 52)
    tail = b""
    for (field, size, _), value in zip(fields, values):
        if "__data_loc" in field:
            tail = value.encode() + b"\0"
            value = len(data) + size | len(tail) << 16
        data += struct.pack({8: "<Q", 4: "<i", 1: "<B"}[size], value)
    data += tail
    data += b"\0" * (-len(data) % 4)
    return struct.pack("<I", len(data) // 4 | 1000 << 5) + data


def page():
    objects, out = [], b""
    for i in range(12):
        name, small = 0xffff888000231000 + i * 4096, 0xffff888000400000 + i * 256
        out += record("kmem_cache_alloc", 0xffffffff8100002b, name, 4096, 4096, 0xcc0, -1, 0)
        out += record("kmalloc", 0xffffffff81002010, small, 200, 256, 0xcc0, -1)
        out += record("kmem_cache_free", 0xffffffff8100104c, name, "names_cache")
        objects.append(small)
        if i % 3 == 2:
            out += record("kfree", 0xffffffff81003020, objects.pop(0))
    return (struct.pack("<QQ", 1000000000, len(out)) + out).ljust(4096, b"\0")


def sized(text, form="<Q"):
    return struct.pack(form, len(text)) + text


def main():
    header_page = (b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                   b"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
                   b"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                   b"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n")
    header_event = (b"# compressed entry header\n\ttype_len    :    5 bits\n"
                    b"\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
                    b"\tpadding     : type == 29\n\ttime_extend : type == 30\n"
                    b"\ttime_stamp : type == 31\n\tdata max type_len  == 28\n")
    out = b"\x17\x08\x44tracing6\0" + struct.pack("<BBI", 0, 8, 4096)
    out += b"header_page\0" + sized(header_page) + b"header_event\0" + sized(header_event)
    out += struct.pack("<I", 0)
    out += struct.pack("<I", 1) + b"kmem\0" + struct.pack("<I", len(EVENTS))
    out += b"".join(sized(event_format(name)) for name in EVENTS)
    out += sized(SYMBOLS, "<I") + struct.pack("<I", 0) + sized(b"52 fsloop\n")
    out += struct.pack("<I", 1) + b"flyrecord\0"
    at = (len(out) + 16 + 4095) // 4096 * 4096
    out = (out + struct.pack("<QQ", at, 4096)).ljust(at, b"\0") + page()
    with open(sys.argv[1], "wb") as to:
        to.write(out)


if __name__ == "__main__":
    main()
