/// Moderator, admin and owner use cases (XEP-0045, sections 8 to 10): changes of roles and
/// affiliations, registration, voice requests, invitations, and the configuration of a room.
@NullMarked
package im.zonda.module.muc.admin;

import org.jspecify.annotations.NullMarked;
