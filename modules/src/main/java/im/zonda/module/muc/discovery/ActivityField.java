package im.zonda.module.muc.discovery;

import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.forms.DataForm;
import im.zonda.module.mam.ArchiveQueries;
import im.zonda.module.muc.home.RoomActivity;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.module.muc.stanza.RoomInfoFields;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The number of messages per hour in the information of a room that everyone may enter (XEP-0502).
///
/// The messages of the last day are read from the room's archive once, when the room is asked first
/// after it was loaded; further ones are counted. In a room without an archive the messages are
/// counted since it was loaded, and the field is there after an hour.
@Xep(number = 502, version = "0.1.0", title = "MUC Activity Indicator")
public final class ActivityField implements RoomInfoFields {
  private static final String NAME = "{urn:xmpp:muc-activity}message-activity";
  private static final int PAGES = 10;
  private static final int PAGE = 500;
  private static final long PAGE_BYTES = 1_048_576;

  private final ModuleContext context;
  private final MessageArchive archive;

  public ActivityField(ModuleContext context) {
    this.context = context;
    this.archive = context.port(MessageArchive.class);
  }

  @Override
  public void add(RoomHome home, DataForm.Builder form) {
    LiveRoom live = home.live();
    if (live == null || !isOpen(live.room().config())) {
      return;
    }
    long now = context.clock().millis();
    RoomActivity activity = home.activity();
    if (!activity.isRead()
        && live.stored()
        && live.room().config().archive()
        && ArchiveQueries.available(context.config())) {
      read(home, now);
    }
    activity
        .perHour(now, live.room().created().toEpochMilli())
        .ifPresent(rate ->
            form.field(
                NAME,
                "text-single",
                "Messages per hour",
                List.of(String.format(Locale.ROOT, "%.2f", rate)),
                Map.of()));
  }

  /// Whether the room is public, persistent, and entered without a password or membership.
  private static boolean isOpen(RoomConfig config) {
    return config.persistent()
        && config.listed()
        && !config.membersOnly()
        && config.password() == null;
  }

  /// Counts the messages in the archive, from the newest on; as far back as the pages reach.
  private void read(RoomHome home, long now) {
    RoomActivity activity = home.activity();
    long oldest = now - RoomActivity.PERIOD_MILLIS;
    activity.restart(oldest);
    long before = Long.MAX_VALUE;
    for (int i = 0; i < PAGES; i++) {
      MessageArchive.Page page =
          archive.page(
              home.jid(),
              new MessageArchive.Filter(null, oldest * 1_000, before, null, null),
              new MessageArchive.Portion(true, PAGE, PAGE_BYTES));
      for (MessageLog.Entry entry : page.entries().reversed()) {
        before = entry.id() - 1;
        if (RoomActivity.counts(entry.message())) {
          activity.count(Math.min(now, entry.time().toEpochMilli())); // the clock was set back
        }
      }
      if (page.complete()) {
        return;
      }
    }
    activity.startAt(MessageLog.timeOf(before).toEpochMilli());
  }
}
