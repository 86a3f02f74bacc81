/// The edge: a process that keeps the connections of clients for a core, which has the accounts, or
/// for several, the nodes of a cluster ([im.zonda.edge.CoreConnection]).
///
/// The values of [im.zonda.edge.ToCore] and [im.zonda.edge.ToEdge] cross one connection between an
/// edge and its core. While a client negotiates, its stream is at the core (`edge.core`): the edge
/// passes headers and elements on, one at a time. Once a resource is bound, the stream continues at
/// the edge, and the values of the link between stream and session ([im.zonda.link]) cross the
/// connection.
@NullMarked
package im.zonda.edge;

import org.jspecify.annotations.NullMarked;
