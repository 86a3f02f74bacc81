package im.zonda.module.pubsub.attachment;

import im.zonda.module.pubsub.node.DerivedNode;
import im.zonda.xml.Element;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Counts the attachments of one item (XEP-0470, sections 4.6 to 4.8). Those of other namespaces
/// are for other specifications.
final class Summary {
  /// UTF-16 characters of a reaction; longer ones are no emoji and are ignored.
  private static final int REACTION_CHARS = 64;

  /// Reactions of one user that count; further ones are ignored.
  private static final int REACTIONS_OF_USER = 16;

  /// Different reactions to an item that count; further ones are ignored.
  private static final int REACTIONS = 256;

  private int noticed;
  private final Map<String, Integer> reactions = new LinkedHashMap<>();

  /// Adds what one user has attached.
  void add(Element attachments) {
    if (attachments.child("noticed") != null) {
      noticed++;
    }
    Element all = attachments.child("reactions");
    if (all == null) {
      return;
    }
    Set<String> own = new LinkedHashSet<>();
    for (Element each : all.children()) {
      String text = each.is(DerivedNode.ATTACHMENTS, "reaction") ? each.text().strip() : "";
      if (!text.isEmpty() && text.length() <= REACTION_CHARS && own.size() < REACTIONS_OF_USER) {
        own.add(text);
      }
    }
    for (String each : own) {
      if (reactions.size() < REACTIONS || reactions.containsKey(each)) {
        reactions.merge(each, 1, Integer::sum);
      }
    }
  }

  /// The summary; null if there is nothing to say.
  @Nullable Element toElement() {
    if (noticed == 0 && reactions.isEmpty()) {
      return null;
    }
    Element.Builder summary = Element.builder(DerivedNode.SUMMARIES, "summary");
    if (noticed > 0) {
      summary.child(
          Element.builder(DerivedNode.SUMMARIES, "noticed")
              .attribute("count", Integer.toString(noticed))
              .build());
    }
    if (!reactions.isEmpty()) {
      Element.Builder all = Element.builder(DerivedNode.SUMMARIES, "reactions");
      reactions.entrySet().stream()
          .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
          .forEach(each -> all.child(reaction(each.getKey(), each.getValue())));
      summary.child(all.build());
    }
    return summary.build();
  }

  private static Element reaction(String text, int count) {
    return Element.builder(DerivedNode.SUMMARIES, "reaction")
        .attribute("count", count > 1 ? Integer.toString(count) : null)
        .text(text)
        .build();
  }
}
