package im.zonda.module.muc.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.ServiceRequestHandler;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UniqueNamesTest {
  private static IqReply ask(boolean mayCreate) {
    RequestTable table = new RequestTable();
    new UniqueNames(() -> "AbC-1", Jid.of("rooms.example.org"), user -> mayCreate).install(table);
    Iq iq =
        TestXml.iq(
                "<iq type='get' id='u'><unique xmlns='http://jabber.org/protocol/muc#unique'/></iq>")
            .withAddresses(Jid.of("crone@example.org/desktop"), Jid.of("rooms.example.org"));
    ServiceRequestHandler request =
        Objects.requireNonNull(
            table.findServiceHandler(Iq.Type.GET, Objects.requireNonNull(iq.payloadName())));
    return request.answer(iq, Objects.requireNonNull(iq.payload()));
  }

  @Test
  void theNameIsPrepared() {
    IqReply.Result reply = (IqReply.Result) ask(true);
    assertThat(Objects.requireNonNull(reply.payload()).text()).isEqualTo("abc-1");
  }

  @Test
  void usersWhoMayNotCreateRoomsGetNoName() {
    assertThat(ask(false)).isEqualTo(IqReply.refuse(ErrorCondition.NOT_ALLOWED));
  }
}
