package im.zonda.cluster.frame;

import java.util.List;

/// What two processes have of a session, for the connection of its client: at the edge itself, not
/// on a link.
///
/// @param handled the count of the client's stanzas
/// @param deliveries in order; the edge ignores those that it has sent
public record ClientUpdate(
    String owner, String session, Attachment attachment, long handled, List<Delivery> deliveries) {
  /// Copies the list.
  public ClientUpdate {
    deliveries = List.copyOf(deliveries);
  }
}
