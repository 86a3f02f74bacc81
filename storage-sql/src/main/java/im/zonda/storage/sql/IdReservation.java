package im.zonda.storage.sql;

import im.zonda.store.StoreException;

/// Wakes the writer so that it records a higher bound of the ids given out.
record IdReservation() implements Work {
  @Override
  public void apply(WriterConnection writer) {
    // The writer looks after the bound in every transaction.
  }

  @Override
  public void committed() {}

  @Override
  public void undone() {}

  @Override
  public void failed(StoreException cause) {}

  @Override
  public boolean kept() {
    return false;
  }

  @Override
  public int bytes() {
    return 0;
  }
}
