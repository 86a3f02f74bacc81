/// The plugin `webhooks`: tells HTTP services what happens at the hosts.
///
/// [Webhooks] gets the events of the server. Each [Target] has a [Delivery] with a queue on the
/// disk, a thread that writes it and a thread that sends, so that none delays another.
@NullMarked
package im.zonda.plugins.webhooks;

import org.jspecify.annotations.NullMarked;
