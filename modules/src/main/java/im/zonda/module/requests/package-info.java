/// Requests that a host sends to the homes of its addresses.
@NullMarked
package im.zonda.module.requests;

import org.jspecify.annotations.NullMarked;
