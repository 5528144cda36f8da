-- The first outbox epoch. A restore or failover adds the next.
insert into outbox_epoch (epoch) values (1);
