/// The archive of a room (XEP-0313): storing messages, queries, retraction (XEP-0424) and
/// moderation (XEP-0425).
@NullMarked
package im.zonda.module.muc.archive;

import org.jspecify.annotations.NullMarked;
