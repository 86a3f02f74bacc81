package im.zonda.module.muc;

import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import org.jspecify.annotations.Nullable;

/// Brings the forms that are sent to a room in messages to what they are about (XEP-0045, sections
/// 7.13, 8.6 and 9.9).
final class RoomForms {
  private final ModuleContext context;
  private final VoiceRequests voice;
  private final RoomRegistration registration;

  RoomForms(ModuleContext context, VoiceRequests voice, RoomRegistration registration) {
    this.context = context;
    this.voice = voice;
    this.registration = registration;
  }

  void install(RequestTable table) {
    table.message(DataForm.X, this::take);
    registration.install(table);
  }

  private boolean take(RoomHome home, LiveRoom live, Message message, Envelope cause) {
    StanzaError refused = take(home, live, message);
    if (refused != null) {
      context.send(Message.error(message, refused));
    }
    return true;
  }

  private @Nullable StanzaError take(RoomHome home, LiveRoom live, Message message) {
    DataForm form = DataForm.of(message.payload(DataForm.X));
    if (form == null) {
      return StanzaError.of(ErrorCondition.BAD_REQUEST);
    }
    if (form.type().equals("cancel")) {
      // Whoever does not decide leaves it to others.
      return null;
    }
    return switch (form.kind()) {
      case VoiceRequests.KIND -> voice.take(home, live, message, form);
      case RoomRegistration.KIND -> registration.take(home, live, message, form);
      case null, default -> StanzaError.of(ErrorCondition.BAD_REQUEST);
    };
  }
}
