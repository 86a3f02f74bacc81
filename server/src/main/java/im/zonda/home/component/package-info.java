/// The homes of external components (XEP-0114): one for each domain, whatever the number of its
/// connections.
///
/// A stanza to a component goes to one of the connections of its domain, chosen by the bare address
/// of its sender, so that what one user sends keeps its order. It waits at the home while there is
/// no connection, or while that connection has more on the way than the component reads. What waits
/// is bounded in bytes and in time; then it is answered with `remote-server-timeout`. A message has
/// been handled (XEP-0198) when its bytes have left or it has been answered.
@NullMarked
package im.zonda.home.component;

import org.jspecify.annotations.NullMarked;
