/// Rosters and subscription states (RFC 6121, section 2 and appendix A).
@NullMarked
package im.zonda.module.roster;

import org.jspecify.annotations.NullMarked;
