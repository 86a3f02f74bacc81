package im.zonda.module.muc.admin;

import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import org.jspecify.annotations.Nullable;

/// Passes forms in messages to the handlers of voice and registration requests (XEP-0045, sections
/// 7.13, 8.6 and 9.9).
public final class SubmittedForms {
  private final ModuleContext context;
  private final VoiceRequests voice;
  private final RoomRegistration registration;

  public SubmittedForms(ModuleContext context, VoiceRequests voice, RoomRegistration registration) {
    this.context = context;
    this.voice = voice;
    this.registration = registration;
  }

  public void install(RequestTable table) {
    table.onRoomMessage(DataForm.X, this::handle);
    table.roomFeature(VoiceRequests.KIND, RoomConfig::voiceRequests);
    registration.install(table);
  }

  private boolean handle(RoomHome home, LiveRoom live, Message message, Envelope cause) {
    StanzaError refused = handle(home, live, message);
    if (refused != null) {
      context.send(cause.answer(Message.error(message, refused)));
    }
    return true;
  }

  private @Nullable StanzaError handle(RoomHome home, LiveRoom live, Message message) {
    DataForm form = DataForm.of(message.payload(DataForm.X));
    if (form == null) {
      return StanzaError.of(ErrorCondition.BAD_REQUEST);
    }
    if (form.type().equals("cancel")) {
      // A cancelled form leaves the decision to other moderators or admins.
      return null;
    }
    return switch (form.kind()) {
      case VoiceRequests.KIND -> voice.handle(home, live, message, form);
      case RoomRegistration.KIND -> registration.handle(home, live, message, form);
      case null, default -> StanzaError.of(ErrorCondition.BAD_REQUEST);
    };
  }
}
