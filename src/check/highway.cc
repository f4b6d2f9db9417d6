// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Google Highway's FindIf as a peer (hwy/contrib/algo/find-inl.h), for the widest target that the
 * flags of this file allow.  Header only: nothing of the C++ library is linked.  Compiled once for each
 * target, under the name HIGHWAY_CHECK.
 */
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>
#include <hwy/contrib/algo/find-inl.h>

extern "C" {
#include "functions.h"
}

namespace hn = hwy::HWY_NAMESPACE;

namespace
{
struct Differs {
	uint8_t value;

	template <class D, class V> hn::Mask<D> operator()(D d, V bytes) const
	{
		return hn::Ne(bytes, hn::Set(d, value));
	}
};
} // namespace

extern "C" size_t HIGHWAY_CHECK(const void *buf, uint8_t value, size_t n)
{
	const hn::ScalableTag<uint8_t> d;

	return hn::FindIf(d, static_cast<const uint8_t *>(buf), n, Differs{value});
}
