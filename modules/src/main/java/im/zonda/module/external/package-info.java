/// External service discovery: STUN and TURN servers for clients (XEP-0215).
@NullMarked
package im.zonda.module.external;

import org.jspecify.annotations.NullMarked;
