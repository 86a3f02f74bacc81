/// Invitations: links with a token by which someone registers an account, or becomes a contact of
/// the one who made the link (XEP-0401, XEP-0379).
///
/// The stored data of an invitation belongs to the account that made it, or to the host, and is
/// never in a cache: any node of a cluster may use it. A token is used by removing the stored
/// value, which succeeds once.
@NullMarked
package im.zonda.module.invitations;

import org.jspecify.annotations.NullMarked;
