package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import im.zonda.store.PubSubStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A node of personal eventing with its items.
///
/// @param options the configuration: values by the fields of the form (XEP-0060, section 16.4.4)
/// @param affiliations words by bare addresses, without the owner
/// @param subscribers the addresses that have subscribed
/// @param items the oldest first
public record ImportedNode(
    String name,
    Map<String, List<String>> options,
    Map<Jid, String> affiliations,
    List<Jid> subscribers,
    List<PubSubStore.Item> items) {
  /// Copies the collections.
  public ImportedNode {
    options = new LinkedHashMap<>(options);
    affiliations = new LinkedHashMap<>(affiliations);
    subscribers = List.copyOf(subscribers);
    items = List.copyOf(items);
  }
}
