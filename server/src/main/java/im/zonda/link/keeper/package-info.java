/// Streams that outlive the process of their session, or its move to another node: the process of
/// the stream keeps a snapshot of the session, and resumes or recovers the session for the client
/// (XEP-0198).
@NullMarked
package im.zonda.link.keeper;

import org.jspecify.annotations.NullMarked;
