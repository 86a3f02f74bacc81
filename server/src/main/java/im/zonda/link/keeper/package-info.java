/// Streams that outlive the process or the place of their sessions: the process of the stream keeps
/// what is needed to continue, and resumes the session for the client (XEP-0198).
@NullMarked
package im.zonda.link.keeper;

import org.jspecify.annotations.NullMarked;
