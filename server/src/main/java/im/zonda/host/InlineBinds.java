package im.zonda.host;

import im.zonda.home.account.Dispatch;
import im.zonda.hook.BindHandler;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the bind handlers of a host's modules (XEP-0386).
public final class InlineBinds implements Dispatch.InlineBind {
  private static final Logger LOG = LoggerFactory.getLogger(InlineBinds.class);

  private final Supplier<HostDeclarations> declared;

  /// @param declared what the modules declare at present
  InlineBinds(Supplier<HostDeclarations> declared) {
    this.declared = declared;
  }

  /// The features that a client may ask for, for their announcement.
  public List<String> features() {
    return declared.get().bindHandlers().keySet().stream()
        .map(QName::namespace)
        .distinct()
        .sorted()
        .toList();
  }

  @Override
  public List<Element> bound(Home home, Session session, Element request) {
    HostDeclarations now = declared.get();
    List<Element> answers = new ArrayList<>();
    for (Element child : request.children()) {
      BindHandler handler = now.bindHandlers().get(child.name());
      if (handler != null) {
        run(handler, home, session, child, answers);
      }
    }
    for (BindHandler handler : now.everyBind) {
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
      // The session is bound; the client can request separately what failed.
      LOG.atError()
          .addKeyValue("jid", session.jid())
          .addKeyValue("request", request.name())
          .setCause(e)
          .log("bind_feature_failed");
      return null;
    }
  }
}
