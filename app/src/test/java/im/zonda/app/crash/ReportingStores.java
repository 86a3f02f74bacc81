package im.zonda.app.crash;

import im.zonda.store.MessageLog;
import im.zonda.store.Stores;
import im.zonda.testkit.server.ForwardingLog;
import im.zonda.testkit.server.ForwardingStores;
import java.util.function.Consumer;

/// Stores that report every message once the log has reported it durable.
record ReportingStores(Stores inner, Consumer<MessageLog.Entry> committed)
    implements ForwardingStores {
  @Override
  public MessageLog messages() {
    return new ReportingLog(inner.messages(), committed);
  }

  private record ReportingLog(MessageLog inner, Consumer<MessageLog.Entry> committed)
      implements ForwardingLog {
    @Override
    public Receipt append(Entry entry, Keep keep, boolean waiting) {
      return reported(inner.append(entry, keep, waiting), entry, waiting);
    }

    @Override
    public Receipt append(Entry entry, Keep keep, boolean waiting, Entry sent) {
      return reported(inner.append(entry, keep, waiting, sent), entry, waiting);
    }

    private Receipt reported(Receipt receipt, MessageLog.Entry entry, boolean waiting) {
      if (waiting) {
        receipt.whenCommitted(() -> committed.accept(entry));
      }
      return receipt;
    }
  }
}
