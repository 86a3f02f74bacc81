/// The information that a room and the service disclose about themselves (XEP-0045, section 6):
/// service discovery, channel search, ad-hoc commands, and the vCard of a room.
@NullMarked
package im.zonda.module.muc.discovery;

import org.jspecify.annotations.NullMarked;
