/// The link between a client's stream and its session: the values that cross it, their binary form,
/// and its two ends. See `docs/decisions/0013-what-crosses-the-link.md`.
@NullMarked
package im.zonda.link;

import org.jspecify.annotations.NullMarked;
