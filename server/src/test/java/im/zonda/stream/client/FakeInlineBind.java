package im.zonda.stream.client;

import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.xml.Element;
import java.util.List;

/// A module that offers the feature `urn:example:inline`, and answers each request for it.
public final class FakeInlineBind implements StreamHost.InlineBind {
  private static final String NAMESPACE = "urn:example:inline";

  @Override
  public List<String> features() {
    return List.of(NAMESPACE);
  }

  @Override
  public List<Element> bound(Home home, Session session, Element request) {
    return request.children().stream()
        .filter(child -> child.is(NAMESPACE, "enable"))
        .map(child -> Element.of(NAMESPACE, "enabled"))
        .toList();
  }
}
