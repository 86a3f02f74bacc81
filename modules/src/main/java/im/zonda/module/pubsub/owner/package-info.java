/// The nodes of an account or a service: how they are stored, what is sent when they change, and
/// what the server itself changes.
@NullMarked
package im.zonda.module.pubsub.owner;

import org.jspecify.annotations.NullMarked;
