package im.zonda.cluster.home;

import im.zonda.cluster.frame.Origin;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.placement.Stamp;

/// What a home asks of the database. The database handles the requests of one home in order. It
/// refuses a request whose stamp is below the highest that it has seen for the segment: such a
/// request comes from a process that is the home no more.
public sealed interface StoreRequest {
  /// The segment whose stamp is compared.
  int segment();

  /// The placement in which it was made.
  Stamp stamp();

  /// Keeps a stanza for the owner, unless one of the same origin is kept. Answered by [
  /// StoreAnswer.Stored] after the commit.
  record Append(long token, int segment, Stamp stamp, String owner, RoutedStanza stanza)
      implements StoreRequest {}

  /// Reads all that is kept for the owner, in order. Answered by [StoreAnswer.Fetched].
  record Fetch(long token, int segment, Stamp stamp, String owner) implements StoreRequest {}

  /// Deletes a stanza that the owner's client has.
  record Delete(int segment, Stamp stamp, String owner, Origin origin) implements StoreRequest {}
}
