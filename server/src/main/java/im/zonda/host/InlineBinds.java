package im.zonda.host;

import im.zonda.module.BindHandler;
import im.zonda.router.InlineBind;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the modules of a host do for sessions while they are bound (XEP-0386).
public final class InlineBinds implements InlineBind {
  private static final Logger LOG = LoggerFactory.getLogger(InlineBinds.class);

  private final Map<QName, BindHandler> handlers = new LinkedHashMap<>();
  private final List<BindHandler> always = new ArrayList<>();

  InlineBinds() {}

  void add(QName request, BindHandler handler) {
    if (handlers.putIfAbsent(request, handler) != null) {
      throw new IllegalStateException("answered twice: " + request);
    }
  }

  void add(BindHandler handler) {
    always.add(handler);
  }

  /// The features that a client may ask for, for their announcement.
  public List<String> features() {
    return handlers.keySet().stream().map(QName::namespace).distinct().sorted().toList();
  }

  @Override
  public List<Element> bound(Home home, Session session, Element request) {
    List<Element> answers = new ArrayList<>();
    for (Element child : request.children()) {
      BindHandler handler = handlers.get(child.name());
      if (handler != null) {
        run(handler, home, session, child, answers);
      }
    }
    for (BindHandler handler : always) {
      run(handler, home, session, request, answers);
    }
    return answers;
  }

  private static void run(
      BindHandler handler, Home home, Session session, Element request, List<Element> answers) {
    Element answer = answer(handler, home, session, request);
    if (answer != null) {
      answers.add(answer);
    }
  }

  private static @Nullable Element answer(
      BindHandler handler, Home home, Session session, Element request) {
    try {
      return handler.bound(home, session, request);
    } catch (RuntimeException e) {
      // The session is bound; what failed the client can ask for again.
      LOG.atError()
          .addKeyValue("jid", session.jid())
          .addKeyValue("request", request.name())
          .setCause(e)
          .log("bind_feature_failed");
      return null;
    }
  }
}
