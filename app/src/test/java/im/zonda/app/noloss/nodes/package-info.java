/// The no-loss checker over publish-subscribe nodes, of accounts and of the service.
@NullMarked
package im.zonda.app.noloss.nodes;

import org.jspecify.annotations.NullMarked;
