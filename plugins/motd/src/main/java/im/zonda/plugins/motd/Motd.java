package im.zonda.plugins.motd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import im.zonda.jid.Jid;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginEvent;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;

/// Greets who logs in with a message, once a day (UTC) whatever number of clients an account has.
public final class Motd implements Plugin {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");

  /// The key under which the day of the last greeting is stored for an account.
  private static final String GREETED = "greeted";

  @Override
  public void start(PluginContext context) {
    context.onEvent(event -> {
      if (event instanceof PluginEvent.SessionStarted started) {
        greet(context, started);
      }
    });
  }

  private static void greet(PluginContext context, PluginEvent.SessionStarted started) {
    String text = context.settings(started.host()).text("text");
    Jid account = started.session().bare();
    byte[] today =
        LocalDate.ofInstant(started.time(), ZoneOffset.UTC).toString().getBytes(US_ASCII);
    if (text.isEmpty() || Arrays.equals(context.store().get(account, GREETED), today)) {
      return;
    }
    context.store().put(account, GREETED, today);
    context.send(
        Message.of(
            Message.Type.NORMAL,
            Jid.of(started.host()),
            started.session(),
            null,
            List.of(Element.text(BODY, text))));
  }

  /// The text is read for each greeting.
  @Override
  public boolean reload() {
    return true;
  }
}
