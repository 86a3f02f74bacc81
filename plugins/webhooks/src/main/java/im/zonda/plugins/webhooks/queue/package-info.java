/// The durable queue of a target: events that wait for their delivery, in files.
@NullMarked
package im.zonda.plugins.webhooks.queue;

import org.jspecify.annotations.NullMarked;
