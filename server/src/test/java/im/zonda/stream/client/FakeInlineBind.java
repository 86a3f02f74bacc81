package im.zonda.stream.client;

import im.zonda.xml.Element;
import java.util.List;

/// A module that offers the feature `urn:example:inline`, and answers each request for it.
final class FakeInlineBind {
  static final List<String> FEATURES = List.of("urn:example:inline");

  private FakeInlineBind() {}

  /// The answers to what a client has put into its `<bind/>`.
  static List<Element> answers(Element request) {
    return request.children().stream()
        .filter(child -> child.is(FEATURES.getFirst(), "enable"))
        .map(child -> Element.of(FEATURES.getFirst(), "enabled"))
        .toList();
  }
}
