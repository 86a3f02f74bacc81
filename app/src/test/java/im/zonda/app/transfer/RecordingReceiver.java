package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Keeps all that a source passes on.
public final class RecordingReceiver implements ImportSource.Receiver {
  public final Map<Jid, ImportedAccount> accounts = new LinkedHashMap<>();
  public final Map<Jid, ImportedRoom> rooms = new LinkedHashMap<>();
  public final Map<Jid, List<ImportedMessage>> messages = new LinkedHashMap<>();
  public final List<Omission> omissions = new ArrayList<>();
  private List<ImportedMessage> current = new ArrayList<>();

  /// Reads everything.
  public static RecordingReceiver of(ImportSource source) throws IOException {
    RecordingReceiver receiver = new RecordingReceiver();
    source.readAccounts(receiver);
    source.readRooms(receiver);
    source.readMessages(receiver);
    return receiver;
  }

  /// The account with that address, which must be there.
  public ImportedAccount account(String jid) {
    return Objects.requireNonNull(accounts.get(Jid.of(jid)), () -> jid + " is missing");
  }

  /// The reasons of what was left out, in one text.
  public String reasons() {
    return String.join("\n", omissions.stream().map(Omission::toString).toList());
  }

  @Override
  public void account(ImportedAccount account) {
    accounts.put(account.jid(), account);
  }

  @Override
  public void room(ImportedRoom room) {
    rooms.put(room.jid(), room);
  }

  @Override
  public boolean beginMessages(Jid owner) {
    current = new ArrayList<>();
    messages.put(owner, current);
    return true;
  }

  @Override
  public void message(ImportedMessage message) {
    current.add(message);
  }

  @Override
  public void endMessages() {
    current = new ArrayList<>();
  }

  @Override
  public void omit(Omission omission) {
    omissions.add(omission);
  }
}
