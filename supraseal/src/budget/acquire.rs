//! Waiting for bytes without a thread.

use super::account::{Account, Ticket};
use super::reservation::Reservation;
use crate::Result;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The future of [`Account::acquire_async`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Acquire {
    account: Account,
    bytes: u64,
    ticket: Option<Ticket>,
}

impl Acquire {
    pub(super) fn new(account: Account, bytes: u64) -> Self {
        Acquire { account, bytes, ticket: None }
    }
}

impl Future for Acquire {
    type Output = Result<Reservation>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if self.ticket.is_none() {
            let Some(ticket) = self.account.enter(self.bytes, Some(context.waker().clone()))?
            else {
                return Poll::Ready(Ok(Reservation::new(&self.account, self.bytes)));
            };
            self.ticket = Some(ticket);
            self.account.evict_for(self.bytes);
        }
        let Some(ticket) = &self.ticket else { return Poll::Pending };
        match self.account.poll(ticket, context.waker()) {
            Ok(false) => Poll::Pending,
            Ok(true) => {
                self.ticket = None;
                Poll::Ready(Ok(Reservation::new(&self.account, self.bytes)))
            }
            Err(error) => {
                self.ticket = None;
                Poll::Ready(Err(error))
            }
        }
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        if let Some(ticket) = &self.ticket {
            self.account.leave(ticket);
        }
    }
}
