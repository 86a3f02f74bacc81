/// Attachments of published items, and the nodes that the server derives for them (XEP-0470).
@NullMarked
package im.zonda.module.pubsub.attachment;

import org.jspecify.annotations.NullMarked;
