package im.zonda.testkit.plugin.example;

import im.zonda.jid.Jid;
import im.zonda.plugin.Decision;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.Filtered;
import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;

/// The filter of the tutorial in docs/plugins.md at its end.
public final class AnsweringFilter implements Plugin {
  @Override
  public void start(PluginContext context) {
    context.onMessage(
        FilterPoint.SENT,
        passing -> {
          Decision<Message> decision =
              filter(passing, context.settings(passing.host()).texts("words"));
          if (decision instanceof Decision.Reject) {
            Element body =
                Element.text(new QName(Namespaces.CLIENT, "body"), "Please be careful with that.");
            context.send(
                Message.of(
                    Message.Type.CHAT,
                    Jid.of(passing.host()),
                    passing.stanza().from(),
                    null,
                    List.of(body)));
          }
          return decision;
        });
  }

  private static Decision<Message> filter(Filtered<Message> passing, List<String> words) {
    String body = passing.stanza().body();
    return body != null && words.stream().anyMatch(body::contains)
        ? Decision.reject(ErrorCondition.NOT_ACCEPTABLE, "This word is not allowed here.")
        : Decision.pass();
  }
}
