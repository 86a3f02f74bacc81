/// Publications to a node with many subscribers (XEP-0060).
@NullMarked
package im.zonda.bench.scenario.pubsub;

import org.jspecify.annotations.NullMarked;
