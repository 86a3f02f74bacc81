/// Rosters: who is on an account's contact list, and how far subscriptions have come (RFC 6121,
/// section 2 and appendix A).
@NullMarked
package im.zonda.module.roster;

import org.jspecify.annotations.NullMarked;
